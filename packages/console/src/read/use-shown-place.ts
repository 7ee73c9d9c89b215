import { useEffect } from 'preact/hooks';

/** Scrolls to the first element of the class `here` in a box, when the key changes. */
export function useShownPlace(box: { readonly current: Element | null }, key: string): void {
  useEffect(() => {
    box.current?.querySelector('.here')?.scrollIntoView({ block: 'center' });
  }, [key]);
}
