/** A colour of the style sheet, resolved for a canvas. */
export function canvasColour(place: HTMLElement, name: string): string {
  const probe = place.appendChild(document.createElement("span"));
  probe.style.color = `var(--${name})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
