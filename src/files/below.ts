/** The URI of a path below another URI; a query, which some file systems need, stays at the end. */
export function below(root: string, segments: readonly string[]): string {
  const [, path = '', query = ''] = /^([^?#]*)(.*)$/.exec(root) ?? [];
  return [path.replace(/\/$/, ''), ...segments.map(encodeURIComponent)].join('/') + query;
}
