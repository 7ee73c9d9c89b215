import * as fc from 'fast-check';

/** Valid, cheap regular expressions. */
export const expressions = fc.oneof(
  fc.constantFrom(
    'fo[xw]',
    '\\bhen\\b',
    '^line \\d+',
    'a{2,4}',
    '(zoo|lion)s?',
    'x*y',
    '\\w+ing',
    '.',
  ),
  fc
    .tuple(fc.constantFrom('fox', 'line', 'the', '[a-z]'), fc.constantFrom('', '+', '?', '.'))
    .map((parts) => parts.join('')),
);

/** Invalid regular expressions, and ones that make a backtracking engine run forever. */
export const hostileExpressions = fc.oneof(
  fc.constantFrom(
    '(a+)+$',
    '^(a+)+$',
    '(a|aa)+$',
    '(a|a?)+$',
    '(.*a){25}',
    '(.*)*$',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '(ab|a|b)*c',
    '(?=(a+)+$)',
    '(?<!(a+)+)b',
    '(a*)*\\1b',
    'a{1000}{1000}',
    'a{0,2147483647}',
    'a{99999999999}',
    '[',
    '(?<x>',
    '(?<x>a)(?<x>b)',
    '\\p{Bogus}',
    '\\p{Han}+',
    '[[:alpha:]]+',
    '[z-a]',
    '*',
    '\\',
    '\\x{110000}',
    '\\A\\z',
    '(?i)FOX',
    '(?x) f o x # fox',
    '$^',
    '\\R',
    '(?R)',
    '\\K',
    '[^\\s\\S]',
    '\\u{10FFFF}',
    '(?:)',
    '(?:a?){64}a{64}',
  ),
  fc.integer({ min: 1, max: 3000 }).map((depth) => '('.repeat(depth) + 'a' + ')'.repeat(depth)),
  fc.integer({ min: 1, max: 60 }).map((depth) => `${'('.repeat(depth)}a${'+)'.repeat(depth)}$`),
  fc.integer({ min: 1, max: 2400 }).map((count) => Array(count).fill('a?').join('')),
  fc.integer({ min: 1, max: 1600 }).map((count) => Array(count).fill('a').join('|')),
  fc.string({
    unit: fc.constantFrom(...Array.from('ab()[]{}|*+?.^$\\dwbp0,<>=!:-')),
    minLength: 1,
    maxLength: 24,
  }),
);
