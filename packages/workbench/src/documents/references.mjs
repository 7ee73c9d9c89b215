import { execFile } from 'node:child_process';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const limitMs = 60_000;
const maxAnswerBytes = 64 * 1024 * 1024;
/** LibreOffice takes a second to start, and a failure ends the documents after it. */
const batch = 10;
const separated = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1';

const pdftotext = {
  name: 'pdftotext',
  texts: (files) => eachText(files, 'pdftotext', (file) => ['-enc', 'UTF-8', file, '-']),
};
const pandoc = (from) => ({
  name: 'pandoc',
  texts: (files) =>
    eachText(files, 'pandoc', (file) => ['-f', from, '-t', 'plain', '--wrap=none', file]),
});
const libreOffice = (target) => ({
  name: 'LibreOffice',
  texts: (files) => officeTexts(files, target),
});

/** The reference converters of each format. */
const converters = {
  pdf: [pdftotext],
  docx: [pandoc('docx'), libreOffice('txt:Text (encoded):UTF8')],
  odt: [pandoc('odt'), libreOffice('txt:Text (encoded):UTF8')],
  epub: [pandoc('epub')],
  rtf: [pandoc('rtf'), libreOffice('txt:Text (encoded):UTF8')],
  html: [pandoc('html')],
  'x-ipynb+json': [pandoc('ipynb')],
  pptx: [libreOffice('pdf')],
  odp: [libreOffice('pdf')],
  xlsx: [libreOffice(separated)],
  ods: [libreOffice(separated)],
};
const programs = { pdftotext: ['-v'], pandoc: ['--version'], soffice: ['--version'] };

/** Returns `{ name, texts }` for each installed converter. Texts are in the order of the files, '' for none. */
export async function referenceTexts(format, files) {
  const references = [];
  for (const { name, texts } of converters[format] ?? []) {
    const program = name === 'LibreOffice' ? 'soffice' : name;
    if (await isInstalled(program)) references.push({ name, texts: await texts(files) });
  }
  return references;
}

async function isInstalled(program) {
  try {
    await run(program, programs[program]);
    return true;
  } catch {
    return false;
  }
}

async function eachText(files, program, argumentsFor) {
  const texts = [];
  for (const file of files) {
    const options = { timeout: limitMs, maxBuffer: maxAnswerBytes, killSignal: 'SIGKILL' };
    texts.push(
      await run(program, argumentsFor(file), options).then(
        ({ stdout }) => stdout,
        () => '',
      ),
    );
  }
  return texts;
}

async function officeTexts(files, target) {
  const work = mkdtempSync(join(tmpdir(), 'trove-documents-'));
  try {
    const texts = [];
    for (let at = 0; at < files.length; at += batch) {
      texts.push(...(await officeBatch(files.slice(at, at + batch), target, work)));
    }
    return texts;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Files are numbered for LibreOffice, because names may be equal or unsuitable. */
async function officeBatch(files, target, work) {
  const folder = mkdtempSync(join(work, 'batch-'));
  const numbered = files.map((file, i) => join(folder, `${i}${extname(file)}`));
  for (const [i, link] of numbered.entries()) symlinkSync(files[i], link);
  const convert = [
    '--headless',
    `-env:UserInstallation=file://${work}/profile`,
    '--convert-to',
    target,
  ];
  const options = { timeout: limitMs * 2, killSignal: 'SIGKILL' };
  await run('soffice', [...convert, '--outdir', folder, ...numbered], options).catch(() => {});
  const made = readdirSync(folder);
  const texts = [];
  for (const i of files.keys()) {
    // One file per sheet, or a single one.
    const results = made.filter((name) =>
      new RegExp(`^${i}(?:-.*)?\\.(?:txt|csv|pdf)$`).test(name),
    );
    const paths = results.map((name) => join(folder, name));
    const parts = target === 'pdf' ? await pdftotext.texts(paths) : paths.map(startOf);
    texts.push(parts.join('\n'));
  }
  rmSync(folder, { recursive: true });
  return texts;
}

/** A sheet of a million rows becomes a gigabyte of commas. */
function startOf(path) {
  const start = Buffer.alloc(maxAnswerBytes);
  const file = openSync(path);
  const length = readSync(file, start);
  closeSync(file);
  return start.toString('utf8', 0, length);
}
