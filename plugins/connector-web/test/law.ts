import {
  everyThird,
  markedText,
  marksIn,
  nextEdition,
  type LawSource,
  type SyncLaw,
} from '@trove/test-support/sync-law.js';
import { page, TestSite } from './site.js';

const paths = ['/guide/', ...Array.from({ length: 8 }, (_, at) => `/guide/chapter ${at}`)];

/** A site whose first page links to the others. `folder`: the folder of the pages in the source. */
async function startSite(
  folder: (site: TestSite) => string,
  place: (site: TestSite) => Pick<LawSource, 'config' | 'target'>,
): Promise<LawSource> {
  const site = await TestSite.start();
  site.validates = true;
  const texts = new Map<string, string>(paths.map((path) => [path, markedText()]));
  const links = paths.map((path) => encodeURI(path));
  const publish = (): void => {
    site.pages.clear();
    site.set({ '/': page('Start', ...links) });
    for (const [path, text] of texts) site.set({ [encodeURI(path)]: page(text, '/') });
  };
  publish();
  return {
    ...place(site),
    content: () => {
      const inPages = [...texts].map(([path, text]) => [pathOf(path), marksIn(text)] as const);
      const all = [['index.html', []] as const, ...inPages];
      return Object.fromEntries(all.map(([path, marks]) => [`${folder(site)}${path}`, marks]));
    },
    changeAll: () => {
      for (const [path, text] of texts) texts.set(path, nextEdition(text));
      publish();
    },
    removeThird: () => {
      for (const path of everyThird(texts.keys())) texts.delete(path);
      publish();
    },
    [Symbol.asyncDispose]: () => site.stop(),
  };
}

function pathOf(path: string): string {
  return path.endsWith('/') ? `${path.slice(1)}index.html` : `${path.slice(1)}.html`;
}

export const law: SyncLaw = {
  schemes: ['http', 'https'],
  start: () =>
    startSite(
      () => '',
      ({ origin }) => ({ target: origin, config: { delay_ms: 0 } }),
    ),
};

/** The same site as a source with a name of its own. */
export const namedLaw: SyncLaw = {
  schemes: ['web'],
  start: () =>
    startSite(
      ({ host }) => `${host}/`,
      ({ origin }) => ({
        target: 'web://docs',
        config: { start_urls: [`${origin}/`], delay_ms: 0 },
      }),
    ),
};
