/** A form of XFA as the library lays it out, in the manner of HTML. */
interface XfaNode {
  readonly name: string;
  readonly value?: unknown;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly children?: readonly (XfaNode | null | undefined)[];
}

/** All texts in their order, values of fields among them. */
export function* xfaTexts(form: object): Generator<string> {
  const rest: (XfaNode | null | undefined)[] = [form as XfaNode];
  while (rest.length > 0) {
    const node = rest.pop();
    if (node === null || node === undefined) continue;
    for (const text of [node.value, node.attributes?.textContent, fieldText(node)]) {
      if (typeof text === 'string' && text.trim() !== '') yield text;
    }
    for (const child of node.children?.toReversed() ?? []) rest.push(child);
  }
}

/** Of buttons and boxes the value is a name. */
function fieldText({ name, attributes }: XfaNode): unknown {
  return name === 'input' && attributes?.type === 'text' ? attributes.value : undefined;
}
