/** Moves the focus between the search box and the hits with the arrow keys. */
export function moveInHits(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const { activeElement: focused } = document;
  if (step === undefined || focused === null || !focused.matches('#query, .hit-link')) return;
  const stops = [...document.querySelectorAll<HTMLElement>('#query, .hit-link')];
  const next = stops[stops.findIndex((stop) => stop === focused) + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
  next.closest('li')?.scrollIntoView({ block: 'nearest' });
}
