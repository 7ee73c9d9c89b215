/** Signs of an answer to a kind of question, in the languages of the questions. */
const kinds: readonly { readonly question: RegExp; readonly answer: RegExp }[] = [
  {
    question:
      /^\W*(?:how (?:many|much|long|often|large|big|far|old|fast|soon)|what (?:is the )?(?:default|maximum|minimum|limit|size|number|port)|wie ?viele?|wie lange|combien|cuánt[oa]s?|сколько)\b/iu,
    answer:
      /\p{N}|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|hundred|thousand|half|once|twice|no|never)\b/iu,
  },
  {
    question: /^\W*(?:when|since when|wann|quand|cuándo|когда|what year)\b/iu,
    answer:
      /\p{N}|\b(?:when|after|before|until|if|once|while|during|every|at the end|als|nach|vor|wenn|quand|après|avant|cuando|después|antes|когда|после)\b/iu,
  },
  {
    question: /^\W*(?:why|warum|wieso|pourquoi|por qué|почему)\b/iu,
    answer:
      /\b(?:because|since|so that|so|to avoid|therefore|otherwise|would|as|weil|damit|denn|parce|car|porque|потому)\b/iu,
  },
  {
    question:
      /^\W*(?:how (?:do|does|can|to|are|is|should)|wie (?:kann|wird|werden|macht)|comment|cómo|как)\b/iu,
    answer:
      /`[^`]+`|\b(?:use|using|run|set|call|pass|add|with|by|via|through|mit|durch|avec|con)\b/iu,
  },
  {
    question: /^\W*(?:what (?:happens|if)|was passiert|que se passe|qué pasa)\b/iu,
    answer:
      /\b(?:is|are|will|gets?|becomes?|fails?|returns?|throws?|stays?|continues?|wird|est)\b/iu,
  },
  {
    question: /^\W*(?:who|whom|whose|wer|wem|qui|quién|кто)\b/iu,
    answer: /(?<=\S\s)\p{Lu}\p{Ll}/u,
  },
];

/** Returns a test for sentences that look like answers to the question, or null for other questions. */
export function answerTest(question: string): ((sentence: string) => boolean) | null {
  const kind = kinds.find((each) => each.question.test(question));
  return kind === undefined ? null : (sentence) => kind.answer.test(sentence);
}
