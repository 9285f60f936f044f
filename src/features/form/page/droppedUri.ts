/** The URI of a file that was dragged from the Explorer; the editor's own name for several of them comes first. */
export function droppedUri(data: DataTransfer | null): string | undefined {
  const list = data?.getData('application/vnd.code.uri-list') || data?.getData('text/uri-list') || '';
  return list.split(/\r?\n/).find((line) => line !== '' && !line.startsWith('#') && !/^https?:/i.test(line));
}
