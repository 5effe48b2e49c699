/** The name that `text` probably means; null when none is near. */
export function nearest(text: string, names: readonly string[]): string | null {
  const reach = Math.max(1, Math.floor(text.length / 3));
  const distances = names.map((name) => ({ name, distance: editDistance(text, name) }));
  const [best] = distances.sort((one, other) => one.distance - other.distance);
  return best !== undefined && best.distance <= reach ? best.name : null;
}

/** How many letters have to be inserted, removed, replaced or swapped with the next one. */
function editDistance(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row];
    rows.push(next);
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      next.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwap ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(from.length, to.length);
}
