/** An element as written; text is unescaped. */
export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: (XmlElement | string)[];
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"' };
const FORBIDDEN = /[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/**
 * Reads the part of XML 1.0 that a drawing needs: elements, attributes, text and the four escapes.
 * Everything else (comments, processing instructions, doctypes, CDATA, other entities) is refused,
 * because the service's drawings hold none.
 */
export function readXml(source: string): XmlElement {
  if (FORBIDDEN.test(source)) throw new Error("A character that XML cannot hold.");
  let at = 0;

  const take = (pattern: RegExp): RegExpExecArray => {
    const sticky = new RegExp(pattern.source, "uy");
    sticky.lastIndex = at;
    const match = sticky.exec(source);
    if (!match) throw new Error(`Not well-formed at ${at}: ${source.slice(at, at + 40)}`);
    at = sticky.lastIndex;
    return match;
  };
  const unescaped = (text: string) =>
    text.replace(/&([^;]*);?/g, (whole, entity: string) => {
      const character = ENTITIES[entity];
      if (!character || !whole.endsWith(";")) throw new Error(`Unknown entity ${whole}`);
      return character;
    });

  const element = (): XmlElement => {
    const name = take(/<([a-z]+)/)[1] as string;
    const attributes: Record<string, string> = {};
    while (source[at] === " ") {
      const [, key, value] = take(/ ([a-zA-Z][a-zA-Z-]*)="([^"<]*)"/) as unknown as [
        string,
        string,
        string,
      ];
      if (key in attributes) throw new Error(`Attribute ${key} twice.`);
      attributes[key] = unescaped(value);
    }
    const children: XmlElement["children"] = [];
    if (take(/\/?>/)[0] === "/>") return { name, attributes, children };
    while (!source.startsWith("</", at)) {
      children.push(source[at] === "<" ? element() : unescaped(take(/[^<]+/)[0]));
    }
    take(new RegExp(`</${name}>`));
    return { name, attributes, children };
  };

  const root = element();
  if (at !== source.length) throw new Error(`Something after the root, at ${at}.`);
  return root;
}

/** The element and all below it. */
export function elementsOf(root: XmlElement): XmlElement[] {
  const below = root.children.filter((child) => typeof child !== "string");
  return [root, ...below.flatMap(elementsOf)];
}
