import { between } from '@trove/test-support/random.js';

const kinds = [
  { share: 0.45, extension: 'md', write: markdown },
  { share: 0.25, extension: 'txt', write: plainText },
  { share: 0.2, extension: 'ts', write: typescript },
  { share: 0.1, extension: 'py', write: python },
];

/** Returns a document of about `size` bytes: `{ extension, content }`. `word` returns its words. */
export function documentOf(random, word, size) {
  let at = random();
  const kind = kinds.find(({ share }) => (at -= share) < 0) ?? kinds[0];
  return { extension: kind.extension, content: kind.write(random, word, size) };
}

function markdown(random, word, size) {
  let text = `# ${title(random, word)}\n\n`;
  while (text.length < size) {
    const pick = random();
    if (pick < 0.2) text += `## ${title(random, word)}\n\n`;
    else if (pick < 0.3) text += list(random, word);
    else if (pick < 0.35) text += `\`\`\`ts\n${functionOf(random, word)}\`\`\`\n\n`;
    else text += `${paragraph(random, word)}\n\n`;
  }
  return text;
}

function plainText(random, word, size) {
  let text = '';
  while (text.length < size) text += `${wrapped(paragraph(random, word))}\n\n`;
  return text;
}

function typescript(random, word, size) {
  let text = `import { ${camel([word(), word()])} } from './${word()}.js';\n\n`;
  while (text.length < size) {
    text += `/** ${sentence(random, word)} */\nexport ${functionOf(random, word)}\n`;
  }
  return text;
}

function python(random, word, size) {
  let text = `"""${sentence(random, word)}"""\n\nimport ${word()}\n\n`;
  while (text.length < size) {
    const name = `${word()}_${word()}`;
    text += `def ${name}(${word()}, ${word()}=None):\n    """${sentence(random, word)}"""\n`;
    for (let left = between(random, 3, 12); left > 0; left--) {
      text += `    ${word()}_${word()} = ${word()}.${word()}(${word()}, ${between(random, 0, 999)})\n`;
    }
    text += `    return ${word()}\n\n\n`;
  }
  return text;
}

function functionOf(random, word) {
  let text = `function ${camel([word(), word()])}(${word()}: ${capital(word())}): ${capital(word())} {\n`;
  for (let left = between(random, 3, 10); left > 0; left--) {
    text += `  const ${camel([word(), word()])} = ${word()}.${word()}(${between(random, 0, 999)});\n`;
    if (random() < 0.2) text += `  // ${sentence(random, word)}\n`;
  }
  return `${text}  return ${camel([word(), word()])};\n}\n`;
}

function list(random, word) {
  const items = Array.from(
    { length: between(random, 3, 7) },
    () => `- ${sentence(random, word)}\n`,
  );
  return `${items.join('')}\n`;
}

function paragraph(random, word) {
  return Array.from({ length: between(random, 3, 8) }, () => sentence(random, word)).join(' ');
}

function sentence(random, word) {
  const words = Array.from({ length: between(random, 6, 24) }, word);
  if (words.length > 12) words[between(random, 4, 8)] += ',';
  if (random() < 0.1) words.push(String(between(random, 1, 3000)));
  return `${capital(words.join(' '))}.`;
}

function title(random, word) {
  return capital(Array.from({ length: between(random, 2, 6) }, word).join(' '));
}

function camel(words) {
  return words.map((word, at) => (at === 0 ? word : capital(word))).join('');
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Wraps lines at 80 characters. */
function wrapped(text) {
  return text.replace(/(.{1,80})(?: |$)/g, '$1\n').trimEnd();
}
