/** A certificate as its contract draws it. The drawing is untrusted: as an image it runs nothing. */
export function CertificateImage({ tokenId, agentName }: { tokenId: bigint; agentName: string }) {
  return (
    <figure class="certificate">
      <img
        src={`/certificates/${tokenId}/image.svg`}
        alt={`The certificate of ${agentName}, as its contract draws it`}
        width="512"
        height="512"
        loading="lazy"
      />
      <figcaption class="muted">Drawn by the contract itself.</figcaption>
    </figure>
  );
}
