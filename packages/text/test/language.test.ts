import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { documentTerms, languageOf, queryStemTerms, queryTerms } from '../src/analyzer/index.js';

const test = suite('languages');

const prose = {
  da: 'Forbindelsen til serveren bliver oprettet igen, når den er blevet afbrudt, og det sker af sig selv.',
  de: 'Die Verbindung zum Server wird wieder aufgebaut, wenn sie unterbrochen wurde und nicht beendet ist.',
  es: 'La conexión con el servidor se restablece cuando se pierde, y no hay que hacer nada más para ello.',
  fi: 'Yhteys palvelimeen muodostetaan uudelleen, kun se on katkennut, ja tämä ei vaadi mitään.',
  fr: 'La connexion au serveur est rétablie quand elle est perdue, et il ne faut rien faire pour cela.',
  it: 'La connessione al server viene ristabilita quando si perde, e non bisogna fare nulla per questo.',
  nl: 'De verbinding met de server wordt hersteld als die verloren is, en daar is niets voor nodig.',
  no: 'Forbindelsen til serveren blir opprettet igjen når den er brutt, og det skjer av seg selv.',
  pt: 'A conexão com o servidor é restabelecida quando se perde, e não é preciso fazer nada para isso.',
  ru: 'Соединение с сервером восстанавливается само, если оно было потеряно.',
  sv: 'Anslutningen till servern återställs när den har brutits, och det sker av sig självt.',
  uk: "З'єднання із сервером відновлюється саме, якщо його було втрачено.",
};

/** Whether a text matches a question by another form of a word. */
function finds(question: string, text: string): boolean {
  const terms = new Set(
    documentTerms({ content: text, language: languageOf(text) }).terms.split(' '),
  );
  const forms = [...queryStemTerms(question).values()].flat();
  return [...queryTerms(question).terms, ...forms].some((term) => terms.has(term));
}

test('recognises languages by common words, but not English and code', () => {
  for (const [language, text] of Object.entries(prose)) assert.is(languageOf(text), language);
  assert.is(languageOf('The connection to the server is made again when it was lost.'), null);
  assert.is(languageOf('for (const e of a) { o[e] = new Map(des, in, die); }'), null);
  assert.is(languageOf(''), null);
  assert.is(languageOf('接続が失われた場合は、再度接続されます。'), null);
});

test('short queries match other forms of words in any language', () => {
  assert.ok(finds('Verbindungen', prose.de));
  assert.ok(finds('conexiones', prose.es));
  assert.ok(finds('connexions', prose.fr));
  assert.ok(finds('connessioni', prose.it));
  assert.ok(finds('servidores', prose.pt));
  assert.ok(finds('verbindingen', prose.nl));
  assert.ok(finds('anslutningar', prose.sv));
  assert.ok(finds('соединения', prose.ru));
  assert.ok(finds('сервера', prose.uk));
  assert.ok(finds('wie werden Verbindungen aufgebaut', prose.de));
  assert.not.ok(finds('Versicherungen', prose.de));
});

test('unstemmed words match with and without accents', () => {
  assert.ok(finds('conexion', prose.es));
  assert.ok(finds('unterbrochen', prose.de));
  assert.ok(finds('återställs', prose.sv));
});

test('queries in a clear language use only its stems', () => {
  assert.equal(queryStemTerms('how is the connection of the server made'), new Map());
  const forms = queryStemTerms('wie wird die Verbindung wieder aufgebaut');
  assert.equal([...new Set([...forms.values()].flat().map((form) => form.slice(0, 3)))], ['de:']);
});

test('stems are limited to the indexed languages', () => {
  const forms = queryStemTerms('Verbindung', new Set(['fr:', 'de:']));
  const marks = [...forms.values()].flat().map((form) => form.slice(0, 3));
  assert.equal(marks.sort(), ['de:', 'fr:']);
  assert.equal(queryStemTerms('Verbindung', new Set()), new Map());
});

test('English texts and code get no additional stems', () => {
  const content = 'The connections of the server, and parseHeader(x)';
  assert.equal(
    documentTerms({ content, language: languageOf(content) }),
    documentTerms({ content }),
  );
});

test.run();
