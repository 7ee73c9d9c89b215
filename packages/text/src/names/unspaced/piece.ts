/** A part of a run of letters. The end is exclusive. */
export interface WordPiece {
  readonly from: number;
  readonly to: number;
  readonly isName: boolean;
}

/** Adds pieces in order, and joins adjacent ones that are no names. */
export class PieceList {
  readonly items: WordPiece[] = [];

  add(from: number, to: number, isName: boolean): void {
    if (from >= to) return;
    const last = this.items.at(-1);
    if (last !== undefined && !last.isName && !isName) {
      this.items[this.items.length - 1] = { from: last.from, to, isName };
    } else this.items.push({ from, to, isName });
  }
}
