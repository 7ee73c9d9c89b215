import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';

/** An ext4 file system. Writes that were not flushed reach its image after minutes. */
const options = 'loop,commit=600';

/** A disk image in a file. */
export class DiskImage {
  readonly folder: string;
  readonly #image: string;

  private constructor(image: string, folder: string) {
    this.#image = image;
    this.folder = folder;
    mkdirSync(folder);
    run('mount', '-o', options, image, folder);
  }

  static make(image: string, folder: string): DiskImage {
    run('truncate', '-s', '96M', image);
    run('mkfs.ext4', '-q', '-F', image);
    return new DiskImage(image, folder);
  }

  /** Copies the disk as it would be after a power cut now. */
  afterPowerCut(image: string, folder: string): DiskImage {
    copyFileSync(this.#image, image);
    return new DiskImage(image, folder);
  }

  /** Flushes all writes to the disk. */
  flush(): void {
    run('sync', '-f', this.folder);
  }

  unmount(): void {
    run('umount', this.folder);
  }
}

/** Returns why no disk image can be mounted, or null. */
export function noDiskImages(image: string, folder: string): string | null {
  try {
    DiskImage.make(image, folder).unmount();
    return null;
  } catch (error) {
    const [, reason] = error instanceof Error ? error.message.split('\n') : [];
    return `a disk in a file cannot be mounted here: ${reason}`;
  }
}

function run(command: string, ...args: readonly string[]): void {
  execFileSync(command, args, { stdio: 'pipe' });
}
