import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

/**
 * Returns the threads, child processes, open file descriptors and sockets of a server and its children. All are 0 where
 * the system does not report them (only Linux does).
 */
export function resourcesOf(pid) {
  const processes = familyOf(String(pid));
  const links = processes.flatMap(openFilesOf);
  return {
    threads: sum(processes.map((each) => entriesOf(`/proc/${each}/task`).length)),
    children: Math.max(0, processes.length - 1),
    files: links.length,
    sockets: links.filter((link) => link.startsWith('socket:')).length,
  };
}

export function threadsOf(pid) {
  return entriesOf(`/proc/${pid}/task`).length;
}

/** Watches the number of child processes. `stop()` returns the highest. */
export function watchChildren(pid, everyMs) {
  let highest = 0;
  const look = () => (highest = Math.max(highest, familyOf(String(pid)).length - 1));
  const timer = setInterval(look, everyMs);
  return {
    stop() {
      clearInterval(timer);
      look();
      return highest;
    },
  };
}

function familyOf(pid) {
  const children = entriesOf(`/proc/${pid}/task`).flatMap((task) =>
    textOf(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean),
  );
  return [pid, ...children.flatMap(familyOf)];
}

function openFilesOf(pid) {
  return entriesOf(`/proc/${pid}/fd`).flatMap((file) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${file}`)];
    } catch {
      // The file was closed in the meantime.
      return [];
    }
  });
}

function entriesOf(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(file) {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}

function sum(numbers) {
  return numbers.reduce((total, each) => total + each, 0);
}
