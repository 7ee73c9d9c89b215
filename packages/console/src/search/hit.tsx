import type { ResultEnvelope } from '@trove/client';
import type { JSX } from 'preact';
import { Age } from '../parts/age.js';
import { EditorLink } from '../parts/editor-link.js';
import { linesOf, shownLocator } from '../parts/locators.js';
import { MarkedText } from '../parts/marked-text.js';
import { lastSegment, safeLink, shownName, shownUri } from '../parts/names.js';
import { readHref } from '../read/read-href.js';
import { HitCommands } from './hit-commands.js';
import { MarkAnswer } from './mark-answer.js';
import { explainRank } from './rank.js';

interface Props {
  readonly hit: ResultEnvelope;
  readonly words: readonly string[];
  /** What the caller searched for. */
  readonly question: string;
}

/** A passage with its origin, its marked words and the reasons for its rank. */
export function Hit({ hit, words, question }: Props): JSX.Element {
  const { source, locator, content, score, metadata } = hit;
  const url = safeLink(metadata.url);
  const place = shownLocator(locator);
  return (
    <li class="hit">
      <h2>
        <a class="hit-link" href={readHref(source, locator)}>
          <bdi>{shownName(metadata.title ?? lastSegment(source))}</bdi>
        </a>
      </h2>
      <p class="hit-place soft">
        <bdi class="path">{shownUri(source)}</bdi>
        {place !== '' && <span>{shownName(place)}</span>}
        <span class="badge">{metadata.kind}</span>
        {metadata.author !== null && <bdi>{shownName(metadata.author)}</bdi>}
        {metadata.modified_at !== null && <Age time={metadata.modified_at} />}
        <EditorLink uri={source} line={linesOf(locator)?.[0] ?? 1} />
        {url !== null && (
          <a href={url} rel="noreferrer noopener" target="_blank">
            Open the original
          </a>
        )}
      </p>
      <p class="passage" dir="auto">
        <MarkedText text={content.trim().replaceAll(/\n\s*\n/g, '\n')} words={words} />
      </p>
      <details class="why">
        <summary>
          {score !== null && (
            <meter min={0} max={1} value={score} aria-label="Relevance" title={score.toFixed(3)} />
          )}
          Why this rank
        </summary>
        <ul>
          {score !== null && <li>Its relevance is {score.toFixed(3)} on a scale from 0 to 1.</li>}
          {explainRank(metadata).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
        {metadata.also.length > 0 && (
          <ul>
            {metadata.also.map((uri) => (
              <li key={uri}>
                <a href={readHref(uri)}>
                  <bdi>{shownUri(uri)}</bdi>
                </a>
              </li>
            ))}
          </ul>
        )}
      </details>
      <HitCommands hit={hit} />
      <MarkAnswer hit={hit} question={question} />
    </li>
  );
}
