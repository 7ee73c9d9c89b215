import { useEffect, useState } from 'preact/hooks';
import { base } from '../address.js';
import { isMarkedQuestion, type MarkedQuestion } from './answers.js';

const key = `trove-answers ${base}`;
const changed = 'trove-answers-changed';

/** Returns the marked questions that this tab keeps, and a function that replaces them. */
export function useMarkedQuestions(): readonly [
  readonly MarkedQuestion[],
  (questions: readonly MarkedQuestion[]) => void,
] {
  const [questions, setQuestions] = useState(storedQuestions);
  useEffect(() => {
    const update = (): void => setQuestions(storedQuestions());
    addEventListener(changed, update);
    return () => removeEventListener(changed, update);
  }, []);
  const replace = (next: readonly MarkedQuestion[]): void => {
    sessionStorage.setItem(key, JSON.stringify(next));
    dispatchEvent(new Event(changed));
  };
  return [questions, replace];
}

/** Removes all marks. They quote texts of the sources, so they end with the session. */
export function forgetMarkedQuestions(): void {
  sessionStorage.removeItem(key);
}

function storedQuestions(): readonly MarkedQuestion[] {
  const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]');
  return Array.isArray(stored) ? stored.filter(isMarkedQuestion) : [];
}
