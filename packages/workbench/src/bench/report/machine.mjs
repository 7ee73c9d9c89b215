import { arch, availableParallelism, cpus, platform, totalmem } from 'node:os';

const gib = 1024 ** 3;

/** Describes the machine in one line without names. */
export function machineLine() {
  const model = cpus()[0]?.model.trim() || 'unknown processor';
  const memory = Math.round(totalmem() / gib);
  const cores = availableParallelism();
  return `${model}, ${cores} cores, ${memory} GB, ${platform()} ${arch()}, Node ${process.version}`;
}
