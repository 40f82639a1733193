// Cards as text and CSS.
import { SUIT_SIGN } from "../poker/cards";

export function CardFace({ card, small }: { card: string; small?: boolean }) {
  const suited = /^(10|[2-9TJQKA])[cdhs]$/.test(card);
  const size = small ? " small" : "";
  if (suited) {
    const suit = card.slice(-1);
    const rank = card.slice(0, -1);
    return (
      <span class={`playing-card face suit-${suit}${size}`} role="img" aria-label={card}>
        <span class="card-rank">{rank}</span>
        <span class="card-suit">{SUIT_SIGN[suit]}</span>
      </span>
    );
  }
  const plain = card.length <= 3;
  return (
    <span class={`playing-card face ${plain ? "plain" : "words"}${size}`} role="img" aria-label={card}>
      <span class={plain ? "card-rank" : "card-words"}>{card}</span>
    </span>
  );
}

export function CardBack() {
  return <span class="playing-card back" role="img" aria-label="hidden card" />;
}
