import { readFileSync, readdirSync } from 'node:fs';
import { spawnSync } from 'node:child_process';

/** The variable that marks the processes of a test file, even those in their own sessions. */
export const processMark = 'TROVE_TEST_FILE_ID';

/**
 * Returns living processes of a test file: members of its process group and, on Linux, processes that inherited its
 * mark. Returns `[{ pid, command }]` without zombies.
 */
export function survivors(group, mark) {
  if (process.platform === 'win32') return [];
  return process.platform === 'linux' ? fromProc(group, mark) : fromPs(group);
}

/** Kills the given processes. Ignores those that have ended. */
export function killAll(processes) {
  for (const { pid } of processes) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  }
}

function fromProc(group, mark) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const { state, pgrp } = stat(pid);
      if (state === undefined || state === 'Z' || state === 'X') return [];
      if (pgrp !== group && !read(pid, 'environ').split('\0').includes(`${processMark}=${mark}`))
        return [];
      return [{ pid: Number(pid), command: read(pid, 'cmdline').replaceAll('\0', ' ').trim() }];
    });
}

/** Returns the state letter and process group. The name before them may contain spaces and parentheses. */
function stat(pid) {
  const text = read(pid, 'stat');
  if (text === '') return {};
  const [state, , pgrp] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state, pgrp: Number(pgrp) };
}

/** Returns a file of /proc, or '' if the process has ended or belongs to another user. */
function read(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function fromPs(group) {
  const { stdout, error } = spawnSync('ps', ['-A', '-o', 'pid=,pgid=,stat=,command='], {
    encoding: 'utf8',
  });
  if (error) throw error;
  return stdout.split('\n').flatMap((line) => {
    const [pid, pgid, state, ...command] = line.trim().split(/\s+/);
    if (Number(pgid) !== group || state?.startsWith('Z')) return [];
    return [{ pid: Number(pid), command: command.join(' ') }];
  });
}
