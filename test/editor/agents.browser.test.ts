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

const pictures = join(root, 'out', 'screenshots');
const original = '{\n  // mine\n  "mcpServers": {\n    "other": { "command": "x" }\n  }\n}\n';

for (const version of ['latest'] as const) {
  suite(`Agents outside VS Code ${releases[version].vscode}`, () => {
    const home = mkdtempSync(join(tmpdir(), 'model-catalog-home-'));
    const config = join(home, '.cursor', 'mcp.json');
    const skill = join(home, '.cursor', 'skills', 'model-catalog', 'SKILL.md');
    let workbench: Workbench;
    before(async () => {
      await mkdir(pictures, { recursive: true });
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

    test(`nothing is written before the person has seen the change and added it`, async () => {
      await workbench.command('Model Catalog: Connect an Agent…');
      await workbench.pick('Cursor');
      await workbench.page.locator('.monaco-diff-editor').filter({ hasText: 'model-catalog' }).first().waitFor();
      await workbench.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Add Entry' }).waitFor();
      await workbench.screenshot(join(pictures, `agents-preview-${version}.png`));
      assert.equal(readFileSync(config, 'utf8'), original);
      await workbench.pick('Add Entry');
      await workbench.page.getByText('Cursor is connected').first().waitFor();
      assert.ok(readFileSync(config, 'utf8').startsWith(original.slice(0, original.indexOf('\n  }'))));
    });

    test(`the skill is added once the person has seen it, with the names that its agent knows (${version})`, async () => {
      await workbench.page.locator('.view-line').filter({ hasText: 'Rendering with Model Catalog' }).first().waitFor();
      await workbench.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: skill }).waitFor();
      await workbench.screenshot(join(pictures, `agents-skill-${version}.png`));
      assert.ok(!existsSync(skill));
      await workbench.pick('Add Skill');
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
      await workbench.command('Model Catalog: Disconnect Agents');
      const dialog = workbench.page.locator('.monaco-dialog-box').filter({ hasText: 'Disconnect all agents' });
      await dialog.waitFor();
      await workbench.screenshot(join(pictures, `agents-disconnect-${version}.png`));
      await dialog.getByRole('button', { name: 'Disconnect Agents' }).click();
      const isBack = () => readFileSync(config, 'utf8') === original && !existsSync(dirname(skill));
      await until(() => Promise.resolve(isBack()));
      assert.ok(!existsSync(command));
    });
  });
}
