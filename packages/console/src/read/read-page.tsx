import { TroveApiError } from '@trove/client';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { base } from '../address.js';
import { CopiedCommand } from '../parts/copied-command.js';
import { EditorChoice, EditorLink } from '../parts/editor-link.js';
import { Failure } from '../parts/failure.js';
import { lastSegment, shownName, shownUri } from '../parts/names.js';
import { NoSource } from '../parts/no-source.js';
import { shownBytes } from '../parts/numbers.js';
import { hrefOf } from '../route.js';
import { useClient, usePermissions } from '../session-context.js';
import type { PageProps } from '../shell/pages.js';
import { useLoaded } from '../use-loaded.js';
import { FolderView } from './folder-view.js';
import { ObjectView } from './object-view.js';
import { pathFrom, rootOf } from './paths.js';
import { readCommands } from './read-commands.js';
import { readHref } from './read-href.js';
import { readChoiceOf, type ReadChoice } from './read-request.js';
import { Tree } from './tree.js';

/** The tree of all sources, and the folder or object of the address. */
export function ReadPage({ params }: PageProps): JSX.Element {
  const client = useClient();
  const choice = readChoiceOf(params);
  const sources = useLoaded((signal) => client.server.status({ signal }), []);
  const roots = useMemo(
    () =>
      (sources.value?.connectors ?? []).map(({ root_uri: path }) => ({
        path,
        name: shownUri(path),
      })),
    [sources.value],
  );
  if (sources.error !== undefined) return <Failure error={sources.error} />;
  if (sources.value === undefined) return <p class="soft page">Reading the sources …</p>;
  const root = rootOf(
    choice.path,
    roots.map(({ path }) => path),
  );
  const trail = root === null ? [] : pathFrom(root, choice.path);
  return (
    <div class={choice.path === '' ? 'reader without-object' : 'reader'}>
      <aside class="reader-tree" aria-label="Tree of sources">
        {roots.length === 0 ? (
          <p class="soft">
            <NoSource />
          </p>
        ) : (
          <Tree roots={roots} path={choice.path} ancestors={trail.slice(0, -1)} />
        )}
      </aside>
      <section class="reader-content" aria-label="Content">
        {choice.path === '' ? (
          <>
            <h1>Read</h1>
            <p class="soft">Choose a source, a folder or an object in the tree.</p>
          </>
        ) : (
          <Content key={choice.path} choice={choice} root={root ?? choice.path} trail={trail} />
        )}
      </section>
    </div>
  );
}

/** The remedies of the server are for callers that may add sources. */
function UnreadPath({ error }: { readonly error: unknown }): JSX.Element {
  const { mayManage } = usePermissions();
  const isMissing = error instanceof TroveApiError && error.code === 'not_found';
  if (mayManage || !isMissing) return <Failure error={error} />;
  return <p class="notice">There is no such object, or your token does not see it.</p>;
}

interface ContentProps {
  readonly choice: ReadChoice;
  readonly root: string;
  readonly trail: readonly string[];
}

function Content({ choice, root, trail }: ContentProps): JSX.Element {
  const client = useClient();
  const { path } = choice;
  const { value, error } = useLoaded((signal) => client.browse.ls({ path }, { signal }), [path]);
  const entry = value?.entries.find((each) => each.path === path && each.type === 'file');
  return (
    <>
      <nav class="trail" aria-label="Path">
        <a href={hrefOf('read')}>Sources</a>
        {trail.map((each, index) => (
          <a
            key={each}
            href={readHref(each)}
            aria-current={index === trail.length - 1 ? 'page' : undefined}
          >
            <bdi>{index === 0 ? shownUri(each) : lastSegment(each)}</bdi>
          </a>
        ))}
      </nav>
      <h1>
        <bdi>{lastSegment(path)}</bdi>
      </h1>
      {error !== undefined && <UnreadPath error={error} />}
      {value === undefined && error === undefined && <p class="soft">Reading …</p>}
      {value !== undefined && (
        <p class="object-facts soft">
          {entry !== undefined && (
            <>
              {entry.media_type !== null && <span>{entry.media_type}</span>}
              {entry.size_hint !== null && <span>{shownBytes(entry.size_hint)}</span>}
              {entry.search_status !== null && (
                <span>{entry.search_status.replaceAll('_', ' ')}</span>
              )}
              {entry.reason !== null && <span>{shownName(entry.reason)}</span>}
            </>
          )}
          <a href={hrefOf('search', { path })}>Search here</a>
          {entry !== undefined && <EditorLink uri={path} line={choice.lines?.[0] ?? 1} />}
        </p>
      )}
      {value !== undefined && entry === undefined && (
        <FolderView key={path} entries={value.entries} />
      )}
      {entry !== undefined && <ObjectView choice={choice} entry={entry} root={root} />}
      {entry !== undefined && (
        <details class="elsewhere">
          <summary>Read this elsewhere</summary>
          {readCommands(base, choice).map(({ label, text }) => (
            <CopiedCommand key={label} label={label} text={text} />
          ))}
          <EditorChoice />
        </details>
      )}
    </>
  );
}
