import * as vscode from 'vscode';

/** The minimum for each job: an activation, a form with one field, a list to choose from, and a completion. */
export function activate(context: vscode.ExtensionContext): void {
  const command = (name: string, run: () => unknown) =>
    context.subscriptions.push(vscode.commands.registerCommand(`yardstick.${name}`, run));
  command('webview', showWebview);
  command('tenItems', () => pick(10));
  command('manyItems', () => pick(10_000));
  command('foundItems', pickFound);
  command('completeMany', () => context.subscriptions.push(completionOf(10_000)));
}

/** A webview that reports that it's ready and shows a field when it gets a response. */
function showWebview(): void {
  const options = { enableScripts: true };
  const panel = vscode.window.createWebviewPanel('yardstick', 'Yardstick', vscode.ViewColumn.Active, options);
  panel.webview.onDidReceiveMessage(() => void panel.webview.postMessage('show'));
  panel.webview.html = `<!DOCTYPE html><title>Yardstick</title><body><script>
    addEventListener('message', () => (document.body.innerHTML = '<textarea></textarea>'));
    acquireVsCodeApi().postMessage('ready');
  </script></body>`;
}

/** Words for the editor to complete and filter by itself. */
function completionOf(count: number): vscode.Disposable {
  const words = Array.from({ length: count }, (_, index) => `provider/family/model-${index}`);
  const provideCompletionItems = () =>
    words.map((word) => {
      const item = new vscode.CompletionItem(word, vscode.CompletionItemKind.Value);
      item.filterText = item.insertText = JSON.stringify(word);
      item.range = new vscode.Range(1, 11, 1, 13);
      return item;
    });
  return vscode.languages.registerCompletionItemProvider({ pattern: '**/plain.jsonc' }, { provideCompletionItems });
}

/** The editor's own list with the editor's own filter. */
function pick(count: number): void {
  const picker = vscode.window.createQuickPick();
  picker.items = Array.from({ length: count }, (_, index) => itemOf(index));
  picker.onDidHide(() => picker.dispose());
  picker.show();
}

/** A list of 10,000 that shows the first 40 with what is typed, as an extension must that searches by itself. */
function pickFound(): void {
  const picker = vscode.window.createQuickPick();
  const all = Array.from({ length: 10_000 }, (_, index) => ({ ...itemOf(index), alwaysShow: true }));
  const show = () => (picker.items = all.filter(({ label }) => label.includes(picker.value)).slice(0, 40));
  picker.onDidChangeValue(show);
  show();
  picker.onDidHide(() => picker.dispose());
  picker.show();
}

function itemOf(index: number): vscode.QuickPickItem {
  return { label: `Model ${index}`, description: `provider/family/model-${index}` };
}
