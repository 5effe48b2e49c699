import type { RegistrationContext, RegistrationRequest } from "./content.ts";
import {
  avatarContent,
  boundFileJson,
  jsonContent,
  registrationFileJson,
  soulArchiveJson,
} from "./content.ts";
import type { ArchivePort } from "./ports.ts";

export type Publisher = ReturnType<typeof createPublisher>;

/** Stores what a registration publishes. The same registration always gives the same items. */
export function createPublisher(archive: ArchivePort, context: RegistrationContext) {
  const archiveJson = (json: string): Promise<string> => archive.archive(jsonContent(json));

  return {
    archiveJson,

    /** Stores the picture, the soul's record and the registration file of these ids. */
    async publish(
      request: RegistrationRequest,
      ids: { readonly passportId: bigint; readonly tokenId: bigint },
    ): Promise<{ readonly archiveId: string; readonly agentUri: string }> {
      const { agentName: name, soulHash, passport } = request;
      // The file names the picture.
      if (request.avatar !== null) await archive.archive(avatarContent({ name, soulHash }));
      const archiveId = await archiveJson(soulArchiveJson(request, context));
      const file =
        passport === null
          ? registrationFileJson(request, context, ids)
          : boundFileJson(request, passport, context);
      return { archiveId, agentUri: `ar://${await archiveJson(file)}` };
    },
  };
}
