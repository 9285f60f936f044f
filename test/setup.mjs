// Brings the tools the lock file names, once: every npm script starts with this, so that a fresh clone needs nothing else.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Model Catalog needs Node 20.19 or newer to build; this is ${process.versions.node}.`);
  process.exit(1);
}
const stamp = 'node_modules/.installed-lock.json';
const current = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === readFileSync('package-lock.json', 'utf8');
if (!current()) {
  console.log('Installing the tools named in package-lock.json …');
  // No install script is needed: the tools that bring binaries ship them inside their packages.
  const npm = spawnSync('npm', ['ci', '--ignore-scripts', '--loglevel=error'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (npm.status !== 0) {
    console.error(
      'npm could not install them: check the connection to the npm registry, then run the same command again.',
    );
    process.exit(1);
  }
  copyFileSync('package-lock.json', stamp);
}
