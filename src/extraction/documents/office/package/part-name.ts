/** With a trailing slash; '' for parts at the top level. */
export function folderOf(part: string): string {
  return part.slice(0, part.lastIndexOf('/') + 1);
}

/** The part that a reference means, as seen from a folder: `../media/image1.png`, `/word/styles.xml`, `a%20b.xml`. */
export function resolvePart(folder: string, reference: string): string {
  const path = unescaped(reference.split(/[#?]/, 1)[0]!).replaceAll('\\', '/');
  const steps: string[] = [];
  for (const step of (path.startsWith('/') ? path : folder + path).split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return steps.join('/');
}

function unescaped(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
