import { stemmer as danish } from '@orama/stemmers/danish';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as finnish } from '@orama/stemmers/finnish';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as norwegian } from '@orama/stemmers/norwegian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as swedish } from '@orama/stemmers/swedish';
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian';
import { wordSet } from './stop-words.js';

/** A language that the analyzer recognises. */
export interface AnalyzerLanguage {
  /** ISO 639-1. */
  readonly code: string;
  readonly isCyrillic: boolean;
  /** The most common words, folded. */
  readonly commonWords: ReadonlySet<string>;
  /** Returns the stem of a lower-case word with accents. */
  readonly stem: (word: string) => string;
}

function latin(
  code: string,
  stem: AnalyzerLanguage['stem'],
  commonWords: string,
): AnalyzerLanguage {
  return { code, isCyrillic: false, commonWords: wordSet(commonWords), stem };
}

function cyrillic(
  code: string,
  stem: AnalyzerLanguage['stem'],
  commonWords: string,
): AnalyzerLanguage {
  return { code, isCyrillic: true, commonWords: wordSet(commonWords), stem };
}

/** English is only recognised here, because all texts are stemmed as English. */
export const english = latin(
  'en',
  (word) => word,
  `the of and to in is that it for as with was on a are be this by at or from an which not have has had were if you can
  will they we but how what when do does i my all any into no its there than been out so`,
);

export const languages: readonly AnalyzerLanguage[] = [
  latin(
    'da',
    danish,
    `og at det som en er af for med den til ikke et de der var jeg sig fra vi kan eller har du blev hvor han hun efter
    ved skal om man hvordan i`,
  ),
  latin(
    'de',
    german,
    `der die das und ist nicht ein eine einen einem einer mit von zu auf fur im dem den des sich auch wird wurde werden
    sind war als bei oder aus nach kann wie uber wenn zum zur durch haben hat noch nur man es ich in`,
  ),
  latin(
    'es',
    spanish,
    `el la los las de que y en un una por con para es del se al como mas pero su sus esta este son no lo ser tiene cuando
    fue a`,
  ),
  latin(
    'fi',
    finnish,
    `ja on ei se etta han oli joka mutta tai kun niin ovat myos voi ole sen jos olla mukaan sita siita kuin vain ne tama
    miten`,
  ),
  latin(
    'fr',
    french,
    `le la les des une un est et dans pour que qui pas sur avec par plus sont ce cette aux du au ne se il elle nous vous
    mais ou comme etre leur de en a`,
  ),
  latin(
    'it',
    italian,
    `il lo la gli le di che e un una per con non del della dei delle nel nella sono come piu ma anche alla dal si questo
    questa essere i in`,
  ),
  latin(
    'nl',
    dutch,
    `de het een en van is dat niet op te zijn voor met die aan er om ook als bij naar wordt worden door maar uit kan deze
    hoe in`,
  ),
  latin(
    'no',
    norwegian,
    `og at det som en er av for med den til ikke et de der var jeg seg fra vi kan eller har du ble hvor han hun etter ved
    skal om man hvordan i`,
  ),
  latin(
    'pt',
    portuguese,
    `o a os as de que e em um uma por com para nao do da dos das no na se mais como mas sao ao foi pelo pela seu sua ou
    quando`,
  ),
  latin(
    'sv',
    swedish,
    `och att det som en ar av for med den till inte om ett han men var jag sig fran vi kan eller nar du har vid efter ska
    hur i`,
  ),
  cyrillic(
    'ru',
    russian,
    'и в не на что с по как это из у к для от о но все так его за же мы он они она бы или',
  ),
  cyrillic(
    'uk',
    ukrainian,
    'і в не на що з по як це із у к для від о але все так иого за же ми він вони вона або',
  ),
];
