/** A generator of numbers in [0, 1). */
export type Random = () => number;
export function seededRandom(name: string): Random;
export function randomFrom(seed: number): Random;
export function between(random: Random, low: number, high: number): number;
export function oneOf<T>(random: Random, items: readonly T[]): T;
export function logNormal(random: Random, median: number, spread: number): number;
