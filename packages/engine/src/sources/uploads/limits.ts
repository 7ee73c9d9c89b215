const KiB = 1024;
const MiB = 1024 * KiB;

/** Limits of an upload, in addition to the maximum size, which is a setting. */
export const uploadLimits = {
  /** Members of an archive, files of a tree, and folders of a tree. */
  members: 200_000,
  /** UTF-8 bytes of a path in an archive. */
  nameBytes: 1024,
  /** UTF-8 bytes of one name in a path, as file systems allow. */
  partBytes: 255,
  /** Extended header data of one archive member, such as a long name. */
  headerBytes: 64 * KiB,
  /** Plain bytes of headers and padding per member, on average. */
  overheadBytes: 2 * KiB,
  /** The average expansion of compressed bytes, beyond the free amount. */
  maxExpansion: 100,
  /** Expanded bytes for which any expansion is accepted. */
  freeExpansionBytes: 64 * MiB,
  /** Metadata of a bundle, and a manifest. */
  metaBytes: 64 * MiB,
} as const;
