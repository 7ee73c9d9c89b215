/** File extensions by patterns of the first lines. The first match counts. */
const signs = [
  [/^<\?php/, '.php'],
  [/^#!.*\b(ba|z|da)?sh\b/, '.sh'],
  [/^#!.*\bpython/, '.py'],
  [/^#!.*\bnode/, '.js'],
  [/^\s*<(!doctype html|html)\b/i, '.html'],
  [/^\s*<\?xml/, '.xml'],
  [/^\s*(#include\s*[<"]|#pragma once|namespace \w+ \{|template\s*<)/m, '.cpp'],
  [/^(package \w+\n|func (\(\w+ \*?\w+\) )?\w+\()/m, '.go'],
  [
    /^\s*(pub(\([a-z]+\))? )?(fn \w+.*[{(]$|fn \w+[<(]|impl\b.*\{|mod \w+;|use [\w:{}, ]+;)/m,
    '.rs',
  ],
  [/^\s*(using [\w.]+;|namespace [\w.]+;?$)/m, '.cs'],
  [/^\s*(package [\w.]+;|import (static )?[\w.]+(\.\*)?;)/m, '.java'],
  [/^\s*((override |private |internal |suspend )*fun \w+\(|data class )/m, '.kt'],
  [
    /^\s*(import (Foundation|UIKit|SwiftUI)$|(public |private )?func \w+\(.*\) (throws )?-> )/m,
    '.swift',
  ],
  [/^\s*(object|case class|trait) \w+.*\{$/m, '.scala'],
  [/^\s*(interface \w+ \{|type \w+ = |import type |export (type|interface) |const \w+: )/m, '.ts'],
  [
    /^\s*(import .* from ['"]|export (default|async|function|const)|(async )?function \w+\(|const \w+ = )/m,
    '.js',
  ],
  [/^(create|select|insert|alter|drop|with)\s[\s\S]*;\s*$/i, '.sql'],
];

/** Code is stored with the extension of its language. */
export function extensionOf(text) {
  if (/^\s*(module|def|class) [^:\n]*\n[\s\S]*\bend\s*$/.test(text)) return '.rb';
  if (
    /^\s*(@\w|async def |def |class \w+.*:\s*$)/m.test(text) &&
    /^\s*(@|async def|def|class)/.test(text)
  )
    return '.py';
  if (/^\s*(public|private|protected|static)\b.*[({]/.test(text))
    return /\bfunction\b/.test(text.slice(0, 200)) ? '.php' : '.java';
  if (/^\s*class \w+.*\{/.test(text)) return '.js';
  return signs.find(([sign]) => sign.test(text.slice(0, 2000)))?.[1] ?? '.txt';
}
