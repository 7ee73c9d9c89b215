/*
 * Questions about the history of something. Commits and changelogs answer them.
 *
 * Repetitions are bounded, so a hostile query takes linear time.
 */

const pastVerbs =
  '(?:added|introduced|created|changed|modified|edited|removed|deleted|dropped|renamed|moved|fixed|broken?|broke|written|wrote|' +
  'rewritten|rewrote|authored|committed|reverted|touched|updated|upgraded|refactored|replaced|implemented|merged|bumped|' +
  'deprecated|disabled|enabled|released|split|switched|migrated|patched|landed|stopped|started)';
const verbs =
  '(?:add|introduce|create|change|modify|edit|remove|delete|drop|rename|move|fix|break|write|rewrite|commit|revert|touch|' +
  'update|upgrade|refactor|replace|implement|merge|bump|deprecate|disable|enable|release|split|switch|migrate|patch|land|stop|' +
  'start|become|get|begin|appear|disappear|go)';
const wordsBetween = '\\b[^.?!\\n]{0,80}?\\b';
const recency = '(?:last|latest|recent|recently|newest|previous|past|earlier)';

const questions: readonly string[] = [
  `who (?:(?:has|had|have|last|first|originally|recently|actually) ){0,3}${pastVerbs}`,
  'who is to blame',
  `(?:when|why) (?:was|were|has|have|had)${wordsBetween}${pastVerbs}`,
  `(?:when|why) did${wordsBetween}${verbs}`,
  `(?:when|why) ${pastVerbs}`,
  'since when',
  'how long ago',
  '(?:which|what|in what|since which) (?:commit|commits|release|pr|pull request|merge request)',
  'commits? (?:that|which|where|who|by|messages?|hash|hashes|sha|history|log|logs|authors?|about|introducing|adding|removing|fixing|changing|reverting|since)',
  `(?:${recency}|initial|first|offending|breaking|newest|all|of) commits?`,
  '(?:git|commit|version|revision|change|file|edit)[ -](?:history|log|blame)',
  'change ?logs?',
  'release notes?',
  'blame',
  'history (?:of|behind|for|about)',
  `${recency} (?:\\w{1,20} ){0,2}(?:changes?|modifications?|edits?|updates?|commits?|revisions?)`,
  `(?:changes?|edits?|modifications?) (?:to|in|of|made) ${wordsBetween}(?:recently|lately|last|since|yesterday|today)`,
  `what (?:(?:has|have|had|was|were|recently|last|all) ){0,3}changed`,
  `what(?:'s|’s| is| was) new`,
  'reverted',
  'reverts? (?:of|the|commit|commits)',
  '(?:pr|pull request|merge request) ?#?\\d{1,9}',
];

/** Matches queries about history: who changed something, when, why or in which commit. */
export const historyQuestion = new RegExp(`\\b(?:${questions.join('|')})\\b`, 'i');
