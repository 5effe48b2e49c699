/** Options that measurements of the service have in common, for `parseArgs`. */
export const OPTIONS = {
  "cpu-prof": { type: "string" },
  "dry-run": { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const;

export const OPTIONS_HELP = `  --cpu-prof <dir>  Start the API with --cpu-prof. It writes its profile there when it stops
  --dry-run         Print only
  --help            Show this
`;
