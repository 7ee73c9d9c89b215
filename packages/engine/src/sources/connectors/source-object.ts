/** An object of a source, as a connector identifies it. */
export interface SourceObject {
  readonly path: string;
  /** Null or undefined: the source gave none, or the object is unknown. */
  readonly identity?: string | null;
}

/** Returns the identity as the option that connectors receive. */
export function identityOption({ identity }: Pick<SourceObject, 'identity'>): {
  readonly identity?: string;
} {
  return identity === undefined || identity === null ? {} : { identity };
}
