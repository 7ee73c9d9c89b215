const KiB = 1024;
const MiB = 1024 * KiB;

/** What an upload may be made of, besides its size in bytes, which is a setting. */
export const uploadLimits = {
  /** Members of an archive, files of a tree, and its folders. */
  members: 200_000,
  /** UTF-8 bytes of a path in an archive. */
  nameBytes: 1024,
  /** UTF-8 bytes of one name in a path: what file systems take. */
  partBytes: 255,
  /** Of what an archive says about one member beyond its header, such as a long name. */
  headerBytes: 64 * KiB,
  /** Plain bytes of headers and padding per member, on average. */
  overheadBytes: 2 * KiB,
  /** How many plain bytes each compressed byte may become on average, beyond those that are free. */
  maxExpansion: 100,
  /** Plain bytes up to which any expansion is accepted. */
  freeExpansionBytes: 64 * MiB,
  /** Of what a bundle says about its files, and of a manifest. */
  metaBytes: 64 * MiB,
} as const;
