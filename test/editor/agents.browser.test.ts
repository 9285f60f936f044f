import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/client';
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { releases } from './codeServer';
import { root } from './root';
import { until } from './until';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');
const original = '{\n  // mine\n  "mcpServers": {\n    "other": { "command": "x" }\n  }\n}\n';

for (const version of ['latest'] as const) {
  suite(`Agents outside VS Code ${releases[version].vscode}`, () => {
    const home = mkdtempSync(join(tmpdir(), 'model-catalog-home-'));
    const config = join(home, '.cursor', 'mcp.json');
    const skill = join(home, '.cursor', 'skills', 'model-catalog', 'SKILL.md');
    let workbench: Workbench;
    before(async () => {
      await mkdir(images, { recursive: true });
      mkdirSync(join(home, '.cursor'));
      writeFileSync(config, original);
      workbench = await openWorkbench({ version, env: { HOME: home } });
    });
    after(async () => {
      await workbench.close();
      rmSync(home, { recursive: true });
    });

    function launcher(): string {
      const { mcpServers } = JSON.parse(readFileSync(config, 'utf8').replace('// mine', '')) as {
        readonly mcpServers: Readonly<Record<string, { readonly command: string }>>;
      };
      return mcpServers['model-catalog']!.command;
    }

    test(`nothing is written before the user has seen the change and added it`, async () => {
      await workbench.command('Model Catalog: Manage Agents…');
      await workbench.pick('Connect an Agent…');
      await workbench.pick('Cursor');
      await workbench.page.locator('.monaco-diff-editor').filter({ hasText: 'model-catalog' }).first().waitFor();
      await workbench.page.locator('.monaco-dialog-box').filter({ hasText: 'Add this entry to mcp.json?' }).waitFor();
      await workbench.screenshot(join(images, `agents-preview-${version}.png`));
      assert.equal(readFileSync(config, 'utf8'), original);
      await workbench.confirm('Add Entry');
      await workbench.page.getByText('Cursor is connected').first().waitFor();
      assert.ok(readFileSync(config, 'utf8').startsWith(original.slice(0, original.indexOf('\n  }'))));
    });

    test(`the skill is added once the user has seen it, with the names that its agent knows (${version})`, async () => {
      await workbench.page.locator('.view-line').filter({ hasText: 'Rendering with Model Catalog' }).first().waitFor();
      await workbench.page.locator('.monaco-dialog-box').filter({ hasText: skill }).waitFor();
      await workbench.screenshot(join(images, `agents-skill-${version}.png`));
      assert.ok(!existsSync(skill));
      await workbench.confirm('Add Skill');
      await workbench.page.getByText(`Skill added to ${skill}`).first().waitFor();
      const text = readFileSync(skill, 'utf8');
      assert.match(text, /^---\nname: model-catalog\n/);
      for (const tool of ['listModels', 'quote', 'render', 'checkRenders', 'findMissingImages'])
        assert.ok(text.includes(`\`${tool}\``), tool);
      assert.doesNotMatch(text, /`catalog[A-Z]/);
    });

    test(`the entry starts a relay that an agent can talk to, with the editor's own program (${version})`, async () => {
      const client = new Client({ name: 'Tester', version: '1' }, { versionNegotiation: { mode: 'auto' } });
      await client.connect(new StdioClientTransport({ command: launcher(), cwd: workbench.workspace }));
      assert.equal(client.getServerVersion()?.name, 'model-catalog');
      assert.ok(Array.isArray((await client.listTools()).tools));
      await client.close();
    });

    test(`Disconnect Agents takes back the entry, the skill, the launcher and the way in (${version})`, async () => {
      const command = launcher();
      await workbench.command('Model Catalog: Manage Agents…');
      await workbench.page.locator('.quick-input-list').getByText('Cursor', { exact: true }).waitFor();
      await workbench.screenshot(join(images, `agents-manage-${version}.png`));
      await workbench.pick('Disconnect Agents');
      const dialog = workbench.page.locator('.monaco-dialog-box').filter({ hasText: 'Disconnect all agents' });
      await dialog.waitFor();
      await workbench.screenshot(join(images, `agents-disconnect-${version}.png`));
      await dialog.getByRole('button', { name: 'Disconnect Agents' }).click();
      const isBack = () => readFileSync(config, 'utf8') === original && !existsSync(dirname(skill));
      await until(() => Promise.resolve(isBack()));
      assert.ok(!existsSync(command));
    });
  });
}
