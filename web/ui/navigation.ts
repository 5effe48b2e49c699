/** A link of the header or the footer. */
export interface SiteLink {
  readonly href: string;
  readonly label: string;
  /** Beginnings of further paths that belong to it. */
  readonly within?: readonly string[];
}

/** What the header of every page links to. */
export const HEADER_LINKS: readonly SiteLink[] = [
  {
    href: "/agents",
    label: "Agents",
    within: ["/passports", "/certificates", "/owners", "/endpoints"],
  },
  { href: "/organizations", label: "Organizations" },
  { href: "/events", label: "Events" },
  { href: "/docs", label: "Docs" },
  { href: "/docs/api", label: "API" },
  { href: "/console", label: "Console" },
];

/** What the footer of every page links to. */
export const FOOTER_LINKS: readonly SiteLink[] = [
  { href: "/status", label: "Status" },
  { href: "/docs/trust-model", label: "Trust model" },
  { href: "/verify", label: "Verify a proof", within: ["/verify-disclosure", "/proofs"] },
  { href: "/private-data", label: "Your data" },
];

/**
 * How a link stands to the page that shows it, as `aria-current` says it: `page` for the page itself, `true` for the link of the
 * section that it is in. Of several sections the one with the longest address.
 */
export function currentOf(
  link: SiteLink,
  path: string,
  links: readonly SiteLink[],
): "page" | "true" | undefined {
  if (link.href === path) return "page";
  const length = sectionLength(link, path);
  const isLongest = links.every((other) => sectionLength(other, path) <= length);
  return length > 0 && isLongest ? "true" : undefined;
}

/** The length of the section's address when the path is in it; otherwise 0. */
function sectionLength({ href, within = [] }: SiteLink, path: string): number {
  const sections = [href, ...within].filter(
    (section) => path === section || path.startsWith(`${section}/`),
  );
  return Math.max(0, ...sections.map(({ length }) => length));
}
