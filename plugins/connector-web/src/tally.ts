import type { WebConfig } from './config.js';
import { maxHosts } from './source.js';

const reasonTexts = {
  pages: (config: WebConfig) =>
    `\`max_pages\` is ${config.max_pages}. Raise it, or leave out pages with \`exclude\``,
  depth: (config: WebConfig) => `more than ${config.max_depth} links away (\`max_depth\`)`,
  circles: () => 'their addresses lead in circles',
  variants: () => 'a page has more than 100 addresses that differ only after `?`',
  robots: () => 'robots.txt of the site forbids them',
  hosts: () => `the source has no more than ${maxHosts} hosts`,
  elsewhere: () => 'they lead out of the source',
  copies: () => 'the same page has another address',
} as const;

type SkipReason = keyof typeof reasonTexts | 'excluded';

interface SkippedAddresses {
  count: number;
  readonly first: string;
}

/** Counts the addresses that a crawl leaves out, for the warnings of its job. */
export class CrawlTally {
  readonly #skipped = new Map<SkipReason, SkippedAddresses>();
  readonly #failed: {
    readonly address: string;
    readonly reason: string;
    readonly isKept: boolean;
  }[] = [];
  #failures = 0;

  skip(reason: SkipReason, { href }: URL): void {
    const entry = this.#skipped.get(reason);
    if (entry === undefined) this.#skipped.set(reason, { count: 1, first: href });
    else entry.count++;
  }

  /** `isKept` means that the page of an earlier sync stays. */
  fail({ href }: URL, reason: string, isKept: boolean): void {
    this.#failures++;
    if (this.#failed.length < 100) this.#failed.push({ address: href, reason, isKept });
  }

  get failures(): number {
    return this.#failures;
  }

  get firstFailure(): string {
    const [first] = this.#failed;
    return first === undefined ? '' : `${first.address}: ${first.reason}`;
  }

  *sentences(config: WebConfig): Generator<string> {
    for (const [reason, { count, first }] of this.#skipped) {
      // Excluded pages are intended, and copies are available under another address.
      if (reason === 'excluded' || reason === 'copies') continue;
      yield `${addresses(count)} left out, such as ${first}: ${reasonTexts[reason](config)}.`;
    }
    if (this.#failures === 0) return;
    const isAllKept = this.#failed.every(({ isKept }) => isKept);
    const addition = isAllKept ? ' Their last versions stay in the index.' : '';
    yield `${addresses(this.#failures)} could not be fetched, such as ${this.firstFailure}.${addition}`;
  }
}

function addresses(count: number): string {
  return count === 1 ? '1 address' : `${count} addresses`;
}
