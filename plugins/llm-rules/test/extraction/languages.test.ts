import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { extractTriplets } from '../../src/extraction/extract-triplets.js';

const test = suite('triplets of languages');

function found(text: string, title: string | null = null): string[] {
  return extractTriplets(text, title).map(
    ({ subject, predicate, object }) => `${subject} | ${predicate} | ${object}`,
  );
}

test('finds names of German, but not the nouns that follow an article', () => {
  const text =
    'Die Seewind AG wurde von Mira Okafor in Velstad gegründet. Sie hat der Freiheit und dem Hafen von Oslo nicht geschadet.';
  assert.equal(found(text).slice(0, 2), [
    'Seewind AG | wurde von | Mira Okafor',
    'Seewind AG | in | Velstad',
  ]);
  const ends = extractTriplets(text, null).flatMap(({ subject, object }) => [subject, object]);
  assert.not.ok(ends.some((each) => /Freiheit|Hafen/u.test(each)));
});

test('finds names of French, Spanish and Russian', () => {
  assert.equal(
    found('La société Vent de Mer a été fondée par Claire Dubois à Nantes et elle est connue.'),
    ['Vent de Mer | a été fondée par | Claire Dubois', 'Vent de Mer | à | Nantes'],
  );
  assert.equal(
    found(
      'El museo fue fundado por Lucía Ortega en Sevilla y no se cierra en los meses de verano.',
    ),
    ['Lucía Ortega | en | Sevilla'],
  );
  assert.equal(found('Компания Ветер была основана Анной Петровой в Москве, и она не продаётся.'), [
    'Компания Ветер | была основана | Анной Петровой',
    'Компания Ветер | в | Москве',
  ]);
});

test('finds names of Chinese by surnames, endings, quotation marks and foreign sounds', () => {
  assert.equal(found('海风公司由李明在杭州市创立。'), [
    '海风公司 | 由 | 李明',
    '海风公司 | 在 | 杭州市',
  ]);
  assert.equal(found('《长港》的导演是阿尔伯特·爱因斯坦。'), [
    '长港 | 的导演是 | 阿尔伯特·爱因斯坦',
  ]);
});

test('finds nouns of Japanese by script, with the verb at the end', () => {
  assert.equal(found('田中太郎は東京大学で物理学を学んだ。'), [
    '田中太郎 | 学んだ | 東京大学',
    '田中太郎 | 学んだ | 物理学',
  ]);
});

test('finds nouns of Korean by particles, with the verb at the end', () => {
  assert.equal(found('김민수는 서울대학교에서 물리학을 공부했다.'), [
    '김민수 | 공부했다 | 서울대학교',
    '김민수 | 공부했다 | 물리학',
  ]);
});

test('connects acronyms with their long forms', () => {
  const text =
    'The Harbour Safety Board (HSB) inspects ships. A large language model (LLM) helps. ITF (International Transport Forum) does not. Nothing (ABC) here.';
  assert.equal(
    found(text).filter((each) => each.includes('abbreviated')),
    [
      'Harbour Safety Board | is abbreviated as | HSB',
      'large language model | is abbreviated as | LLM',
      'International Transport Forum | is abbreviated as | ITF',
    ],
  );
});

test.run();
