import { type Arguments, UsageError } from '@trove/commands';

/** Splits positional arguments into patterns and paths. With -e, all of them are paths. */
export function splitArguments(
  args: Arguments<'pattern' | 'path' | 'regexp'>,
): Record<'texts' | 'places', readonly string[]> {
  const texts = args.texts('regexp');
  const places = args.texts('path');
  if (texts.length === 0) return { texts: [args.required('pattern')], places };
  if (texts.some((text) => text.trim() === '')) throw new UsageError('-e must not be blank');
  const first = args.text('pattern');
  return { texts, places: first === undefined ? places : [first, ...places] };
}
