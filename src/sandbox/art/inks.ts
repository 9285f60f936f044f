/** Drawing inks by name, as labeled in a cabinet; each `#rrggbb`. */
export const inks: Readonly<Record<string, string>> = Object.fromEntries(
  `Alder black 201d1b|Anthracite 2b2d33|Aubergine 3b1f3a|Bayberry 3f5a4a|Beetroot 7a1f3d|Bilberry 2f2f5e|Bistre 4b3621|Blackthorn 23213a
Bog oak 33291f|Bottle green 0f4a3a|Brick 8f3b2e|Burnt umber 5a3220|Cassis 4c1c3b|Cedar 6b3f2a|Chestnut 6a2e22|China blue 24508f
Cobalt 1f3f99|Copper 8a4b22|Cranberry 8e1f2f|Cypress 2a4632|Damson 402344|Deep sea 12355b|Delft 1c4587|Ebony 191919
Elderberry 33204d|Fern 2f6b3c|Fig 47263f|Forge 2f2a2a|Garnet 6e1423|Gentian 27409b|Granite 45484d|Harbour 1f4a5f
Heather 6a4c7d|Hemlock 3a4a2c|Indigo 2a2766|Iris 473a8f|Iron gall 1d2433|Ivy 1f4d33|Juniper 24514f|Kelp 2f4a3a
Lagoon 0f5c66|Lampblack 141414|Larkspur 3b4fa0|Lichen 6b7340|Madder 8c2336|Mahogany 5b2318|Malachite 12694f|Marine 123a63
Moss 4f5d2f|Mulberry 612144|Night heron 1f2a44|Nutmeg 6a4526|Olive 56561f|Oxblood 5f1a1d|Payne grey 33414e|Peat 3a2c22
Petrol 0f4650|Pewter 505a60|Pine 1d4a3c|Plum 4f2350|Prussian 10305a|Rosewood 6b2a35|Rust 8a3f1d|Sapphire 173a8c
Sepia 4d3826|Slate 3c4a56|Spruce 1f4c46|Storm 3a4656|Teal 0f5a5a|Verdigris 1f6b60|Vermilion b0341f|Walnut 4a3524`
    .split(/[|\n]/)
    .map((line) => [line.slice(0, -7), `#${line.slice(-6)}`]),
);

export const inkNames: readonly string[] = Object.keys(inks);
