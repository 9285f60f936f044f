import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A JavaScript replacement for the logger of VS Code, which is native, since nothing is compiled here. */
const logger = `// Stands in for the native logger.
const { appendFileSync, mkdirSync } = require('fs');
const { dirname } = require('path');

class Logger {
  constructor(kind, name, file) {
    this.file = file;
    this.level = 2;
    this.isPlain = false;
    mkdirSync(dirname(file), { recursive: true });
  }
  getLevel() { return this.level; }
  setLevel(level) { this.level = level; }
  setPattern() {}
  clearFormatters() { this.isPlain = true; }
  flush() {}
  drop() {}
  trace(text) { this.write(0, 'trace', text); }
  debug(text) { this.write(1, 'debug', text); }
  info(text) { this.write(2, 'info', text); }
  warn(text) { this.write(3, 'warning', text); }
  error(text) { this.write(4, 'error', text); }
  critical(text) { this.write(5, 'critical', text); }
  write(level, word, text) {
    if (level < this.level) return;
    const at = new Date().toISOString().slice(0, 23).replace('T', ' ');
    appendFileSync(this.file, this.isPlain ? text : at + ' [' + word + '] ' + text + '\\n');
  }
}

async function create(name, file) { return new Logger('', name, file); }

exports.version = 0;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = create;
exports.createAsyncRotatingLogger = create;
`;

/** Makes the VS Code in this folder write its own and its extensions' log files. */
export async function letItLog(vscode: string): Promise<void> {
  const file = join(vscode, 'node_modules', '@vscode', 'spdlog', 'index.js');
  if ((await readFile(file, 'utf8')) === logger) return;
  // Another run may be reading it, so it must always be complete.
  const whole = `${file}.${process.pid}`;
  await writeFile(whole, logger);
  await rename(whole, file);
}
