import type { OfficePackage } from '../ooxml/office-package.js';
import { childOf, childrenOf, descendantsOf, type XmlElement } from '../xml/element.js';
import { readXmlRoot } from '../xml/read.js';
import { isMarkDeleted } from './content.js';
import { InlineText, type DocxInlineContext } from './inline.js';

type NoteKind = Parameters<DocxInlineContext['note']>[0];

const labels: Readonly<Record<NoteKind, string>> = {
  footnote: '',
  endnote: 'end-',
  comment: 'comment-',
};

/** Reads footnotes, endnotes and comments at the first reference. */
export class DocxNotes {
  readonly #package: OfficePackage;
  readonly #write: (label: string, text: string) => void;
  readonly #elements = new Map<NoteKind, ReadonlyMap<string, XmlElement>>();

  constructor(document: OfficePackage, write: (label: string, text: string) => void) {
    this.#package = document;
    this.#write = write;
  }

  /** Writes a note and returns the reference to it, or '' if it does not exist. */
  reference(kind: NoteKind, id: string): string {
    const note = this.#of(kind).get(id);
    if (note === undefined) return '';
    const around = {
      link: () => undefined,
      note: () => '',
      box: () => {},
      drawing: () => {},
      page: () => {},
    };
    const paragraphs = descendantsOf(note, 'p').map((each) => {
      const end = isMarkDeleted(childOf(each, 'pPr')) ? '' : ' ';
      return new InlineText(around).read(each) + end;
    });
    const author = note.attributes['w:author'];
    const text = paragraphs.join('').trim();
    if (text === '') return '';
    const label = labels[kind] + id;
    this.#write(label, author === undefined ? text : `${author}: ${text}`);
    return `[^${label}]`;
  }

  #of(kind: NoteKind): ReadonlyMap<string, XmlElement> {
    const known = this.#elements.get(kind);
    if (known !== undefined) return known;
    const { main, archive } = this.#package;
    const part = this.#package.relationships(main).find((each) => each.kind === `${kind}s`)?.target;
    const root = readXmlRoot(archive, part);
    const notes = new Map<string, XmlElement>();
    for (const note of root === undefined ? [] : childrenOf(root, kind)) {
      notes.set(note.attributes['w:id'] ?? '', note);
    }
    this.#elements.set(kind, notes);
    return notes;
  }
}
