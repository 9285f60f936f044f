import * as vscode from 'vscode';

/** The minimum for each job: an activation, a form with one field, and a list to choose from. */
export function activate(context: vscode.ExtensionContext): void {
  const command = (name: string, run: () => unknown) =>
    context.subscriptions.push(vscode.commands.registerCommand(`yardstick.${name}`, run));
  command('webview', showWebview);
  command('tenItems', () => pick(10));
  command('manyItems', () => pick(10_000));
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

/** The editor's own list with the editor's own filter. */
function pick(count: number): void {
  const picker = vscode.window.createQuickPick();
  picker.items = Array.from({ length: count }, (_, index) => ({
    label: `Model ${index}`,
    description: `provider/family/model-${index}`,
  }));
  picker.onDidHide(() => picker.dispose());
  picker.show();
}
