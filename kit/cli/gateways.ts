import { type CommandInput, type CommandOption, UsageError } from "./command.ts";

/** The option that names gateways of permanent storage. */
export const GATEWAY_OPTION: CommandOption = {
  name: "gateway",
  value: "url",
  summary: "Where signed items are served, with {id} for the id. It need not be trusted",
  variable: "SVC_GATEWAYS",
  isRepeated: true,
};

/** @throws UsageError */
export function gatewaysOf({ options }: CommandInput): readonly string[] {
  const gateways = options("gateway");
  for (const gateway of gateways) {
    if (!/^https?:\/\/.*\{id\}/.test(gateway)) {
      throw new UsageError(
        "--gateway must be a URL with {id} where an item's id belongs, such as https://service.example/ar/{id}/item.",
      );
    }
  }
  return gateways;
}
