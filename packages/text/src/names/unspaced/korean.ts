import { PieceList, type WordPiece } from './piece.js';

/** Particles after a noun, longest first. */
const particles = [
  '으로부터',
  '에서는',
  '에게서',
  '이라는',
  '라는',
  '에서',
  '에게',
  '으로',
  '부터',
  '까지',
  '처럼',
  '보다',
  '이나',
  '에는',
  '와의',
  '과의',
  '은',
  '는',
  '이',
  '가',
  '을',
  '를',
  '의',
  '에',
  '로',
  '와',
  '과',
  '도',
  '만',
];
/** Endings of names of places, organisations and people. */
const nameEnding =
  /(?:시|도|군|구|대학교|대학|회사|그룹|은행|병원|연구소|협회|위원회|공항|정부|박물관|도서관|공화국|강|산|섬|역|씨|박사|교수|전자|자동차)$/u;
const commonWords: ReadonlySet<string> = new Set(
  '그 그녀 그들 나 저 우리 너 당신 이것 그것 저것 여기 거기 오늘 어제 내일 때문 경우 정도 사람 사람들 모든 이후 이전 당시 현재 자신 다음 가장 매우 다시 함께 모두 하나 이 것 수 때 등'.split(
    ' ',
  ),
);
const hangul = /^\p{sc=Hangul}+$/u;
const surname =
  /^[김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민진지엄채원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모탁국어은편용][\p{sc=Hangul}]{2}$/u;

/**
 * Splits a word of Korean into its noun and its particle. A noun with a particle is a name, because Korean has no
 * capitals. A word without a particle is a name only by its form.
 */
export function splitKorean(word: string): WordPiece[] {
  const pieces = new PieceList();
  const particle = hangul.test(word)
    ? particles.find((each) => word.length > each.length + 1 && word.endsWith(each))
    : undefined;
  const whole = surname.test(word) || nameEnding.test(word);
  const end =
    particle === undefined || (whole && particle.length === 1 && word.length < 4)
      ? word.length
      : word.length - particle.length;
  const noun = word.slice(0, end);
  const isName =
    noun.length > 1 && !commonWords.has(noun) && (end < word.length || (whole && noun.length > 2));
  pieces.add(0, end, isName);
  pieces.add(end, word.length, false);
  return pieces.items;
}
