import type { ReadRegistrationFile } from "../../protocol/index.ts";
import { Card } from "../ui/components.tsx";
import { checkSnippet, connectSnippets, type Snippet } from "./connect.ts";

/** How a program reaches the agent. Only for valid souls: another owner's endpoints are not the agent's. */
export function ConnectCard({
  service,
  agentName,
  tokenId,
  file,
}: {
  /** Origin of this service. */
  service: string;
  agentName: string;
  tokenId: bigint;
  file: Pick<ReadRegistrationFile, "services"> | null;
}) {
  const snippets = file === null ? [] : connectSnippets(file, agentName);
  return (
    <Card id="connect" title="Connect to it">
      <CopyableText {...checkSnippet(service, tokenId)} />
      {snippets.map((snippet) => (
        <CopyableText {...snippet} />
      ))}
      <p class="muted">
        {snippets.length === 0
          ? "Its registration file declares no MCP or A2A endpoint to write a configuration for."
          : "The addresses are its owner's, from the registration file. What answers there is not this service's."}
      </p>
    </Card>
  );
}

/** The page's script adds the button. */
function CopyableText({ title, text }: Snippet) {
  return (
    <div class="snippet" data-copied={title}>
      <h3>{title}</h3>
      <pre tabindex={0}>
        <code>{text}</code>
      </pre>
    </div>
  );
}
