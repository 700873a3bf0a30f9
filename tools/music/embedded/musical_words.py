"""The words by which music is asked for, and the scenes that have a music of their own."""

from __future__ import annotations

import re

MOOD_WORDS = {
    "happy": "happy happily cheerful joyful joyous merry bright sunny glad jolly delighted "
    "cheery feel-good upbeat celebratory festive birthday carefree",
    "sad": "sad sadly melancholy melancholic mournful sorrowful gloomy lonely heartbroken "
    "heartbreaking depressing depressed tearful grieving grief unhappy funeral lament elegy",
    "calm": "calm calming peaceful relaxing relaxed relax soothing gentle tranquil serene quiet "
    "soft restful mellow meditative meditation zen spa sleepy sleep chill laid-back study",
    "tense": "tense suspense suspenseful nervous anxious thrilling thriller urgent dangerous "
    "chase danger restless nail-biting dramatic",
    "dark": "dark scary horror spooky creepy sinister eerie frightening haunting haunted "
    "menacing evil ominous halloween villain",
    "epic": "epic heroic majestic grand triumphant victorious victory battle powerful cinematic "
    "glorious legendary war fantasy adventure adventurous trailer",
    "dreamy": "dreamy dreamlike ethereal floating magical fairy enchanted hypnotic spacey cosmic "
    "heavenly starry underwater surreal wonder",
    "romantic": "romantic love loving tender tenderly passionate wedding warm intimate sensual",
    "angry": "angry furious rage aggressive brutal violent raging wild",
    "mysterious": "mysterious mystery mystical enigmatic secret strange exotic detective oriental "
    "arabic desert ancient",
    "playful": "playful funny comic comical cute quirky silly whimsical bouncy cheeky mischievous "
    "cartoon humorous goofy kids children childish circus",
    "nostalgic": "nostalgic wistful bittersweet longing reflective thoughtful contemplative "
    "memories yearning autumn rainy",
    "hopeful": "hopeful uplifting inspiring optimistic motivational encouraging inspirational "
    "positive corporate sunrise",
    "energetic": "energetic lively exciting excited dynamic driving party dancing workout sport "
    "sports sporty vigorous groovy funky catchy pumping action racing",
    "solemn": "solemn serious sacred holy religious noble ceremonial ceremony dignified stately "
    "hymn prayer church requiem patriotic",
}
GENRE_WORDS = {
    "lullaby": "lullaby|lullabies|cradle song|berceuse|bedtime",
    "jazz": "jazz|jazzy|swing|swinging|bebop|big band|smooth jazz|cool jazz|lounge",
    "blues": "blues|bluesy|boogie(?:[- ]woogie)?",
    "rock": "rock(?:y)?|hard rock|metal|heavy metal|punk|grunge|rock ?(?:and|'?n'?|&) ?roll|indie",
    "techno": "techno|edm|house|deep house|trance|electronic dance|electro|electronic|rave|"
    "club music|dance music|dance|dubstep|drum (?:and|&|'?n'?) bass|synthwave|disco|eurodance",
    "waltz": "waltz|waltzes|waltzing|viennese|ballroom|carousel",
    "march": "march(?:ing)?|parade|military|marching band|anthem|fanfare",
    "folk": "folk|folky|country|celtic|irish|acoustic|bluegrass|campfire|medieval|ballad|jig|reel|"
    "singer[- ]songwriter|western",
    "ambient": "ambient|drone|soundscape|atmospheric|new age|background pad|chillout|chill[- ]out",
    "classical": "classical|sonata|nocturne|prelude|etude|minuet|baroque|romantic era|"
    "mozart|bach|beethoven|chopin|debussy|satie|schubert|vivaldi|haydn|tchaikovsky",
    "chiptune": "chip ?tunes?|chip music|8[- ]?bit|16[- ]?bit|video ?game|retro game|arcade|"
    "game ?boy|nintendo|pixel",
    "hip hop": "hip[- ]?hop|lo-?fi|trap|rap|boom bap|r&b|rnb|phonk",
    "bossa nova": "bossa(?:[- ]nova)?|samba|latin|brazilian|rumba|salsa|cha[- ]cha|tropical|tango",
    "reggae": "reggae|dub|ska|calypso",
    "pop": "pop|jingle|commercial|advert(?:isement)?|radio|k-pop|funk|soul",
    "orchestral": "orchestral|orchestra|symphon(?:y|ic)|film (?:music|score)|movie|soundtrack|"
    "film|opera|overture|cinematic|trailer",
}

INSTRUMENT_WORDS = {
    "music box": "music[- ]box|celesta|celeste|toy piano",
    "electric piano": "electric piano|rhodes|wurlitzer|e-piano",
    "piano": "pianos?|grand piano|keyboard|harpsichord",
    "distorted guitar": "distorted guitars?|overdriven guitars?|electric guitars?|heavy guitars?",
    "guitar": "guitars?|acoustic guitars?|ukulele|banjo|mandolin|lute|sitar",
    "harp": "harps?|kora",
    "pizzicato": "pizzicato|plucked strings",
    "strings": "strings?|string (?:section|quartet|ensemble|orchestra)|violins|cellos|orchestra",
    "violin": "violin|fiddle|viola|erhu",
    "cello": "cello|double bass solo",
    "flute": "flutes?|recorder|whistle|tin whistle|piccolo|pan ?flute|pan pipes?",
    "clarinet": "clarinets?|bassoon",
    "oboe": "oboes?|english horn|duduk",
    "saxophone": "sax(?:es)?|saxophones?",
    "brass": "brass|trumpets?|trombones?|tuba|horn section|cornet",
    "horn": "french horns?|horns?",
    "organ": "organs?|church organ|pipe organ|hammond",
    "accordion": "accordions?|concertina|harmonica|melodica|bandoneon",
    "marimba": "marimbas?|xylophones?|kalimba|thumb piano|steel ?(?:drums?|pans?)",
    "vibraphone": "vibraphones?|vibes",
    "bells": "bells?|glockenspiel|chimes?|tubular bells|carillon",
    "choir": "choirs?|chorus|choral|chanting|humming",
    "pad": "pads?|synth pads?",
    "synth lead": "synth(?:s|esi[sz]ers?)?|synth leads?|theremin|keytar",
    "square lead": "square waves?|game sounds?",
    "bass": "bass|bass guitar|bassline|bass line|contrabass|double bass|upright bass",
    "drums": "drums?|drum ?kit|drum machine|percussion|beats?|cymbals?|snare|bongos?|congas?|"
    "timpani|tambourine",
}

MUSIC = (
    r"music|musical|songs?|tunes?|tracks?|pieces?|melod(?:y|ies)|beats?|jingles?|composition|"
    r"soundtracks?|scores?|riffs?|grooves?|loops?|ballads?|anthems?|themes?|solos?|bpm|tempo|"
    r"instrumental|sound|band|ensemble|duet|trio|quartet|key|chords?|rhythms?"
)
#: Words of music that mean something else in the description of a scene.
AMBIGUOUS = re.compile(
    r"rocky?|metal|house|trap|country|swing(?:ing)?|dance|march|parade|military|pop|film|movie|"
    r"radio|western|indie|punk|soul|reel|dub|rap|pixel|commercial|lounge|tropical|club music|"
    r"bells?|horns?|keyboard|strings?|bass|whistle|pads?|chimes?|recorder|vibes|snare|beats?|"
    r"brass|orchestra|organs?|reggae|acoustic|arcade|video ?game|carousel|electronic"
)
MOOD_OF_A_SCENE = frozenset(
    "bright soft dark warm wild children kids sunny love church battle war dancing racing sleep "
    "desert rainy underwater circus birthday wedding sport sports autumn sunrise party strange "
    "ancient positive quiet relaxed action quirky bouncy sleepy study secret".split()
)
SCALE_WORDS = {
    "ionian": "major", "major": "major", "aeolian": "minor", "minor": "minor",
    "dorian": "dorian", "phrygian": "phrygian", "lydian": "lydian", "mixolydian": "mixolydian",
    "harmonic minor": "minor", "pentatonic": "major",
}  # fmt: skip

#: Scenes and what is played to them: mood, genre.
SCENES = [
    ("children playing and laughing in a park in the sun", "happy", "folk"),
    ("people having fun at a party with balloons", "energetic", "pop"),
    ("a crowd dancing in a night club with neon lights", "energetic", "techno"),
    ("a dog running and playing with a ball", "playful", "folk"),
    ("a cute kitten or puppy", "playful", "pop"),
    ("a cat sleeping on a sofa", "calm", "lullaby"),
    ("a baby asleep in a cradle at night", "calm", "lullaby"),
    ("a beach with palm trees and the sea in summer", "calm", "bossa nova"),
    ("a sunset over the sea, a red sky in the evening", "nostalgic", "ambient"),
    ("waves, a lake, still water, a river", "calm", "ambient"),
    ("mountains, a wide landscape seen from above", "epic", "orchestral"),
    ("a forest with tall trees and birds", "calm", "folk"),
    ("snow falling on a winter night, Christmas", "dreamy", "lullaby"),
    ("stars and planets in outer space, the night sky", "dreamy", "ambient"),
    ("rain on a window, a grey empty street", "sad", "classical"),
    ("a graveyard, a funeral, someone crying alone", "sad", "classical"),
    ("an old photograph of grandparents, memories", "nostalgic", "classical"),
    ("a couple kissing, two people in love, a wedding", "romantic", "classical"),
    ("a candle-lit dinner, a restaurant, a glass of wine", "romantic", "jazz"),
    ("a city street at night with lights and cars", "calm", "jazz"),
    ("a busy street with traffic, buses and people walking", "energetic", "pop"),
    ("a coffee shop, a cup of coffee, a breakfast table", "calm", "bossa nova"),
    ("a kitchen, food on a plate, pizza, cake, fruit", "happy", "bossa nova"),
    ("a desk with a laptop, a keyboard and a computer mouse", "calm", "hip hop"),
    ("a skateboarder, graffiti, a young man in street clothes", "energetic", "hip hop"),
    ("a football match, tennis, a player hitting the ball, sport", "energetic", "rock"),
    ("a racing car or a motorcycle at high speed", "energetic", "rock"),
    ("a soldier, an army, a battle with swords", "epic", "orchestral"),
    ("a castle, a king, a dragon, knights on horses", "epic", "orchestral"),
    ("a dark house, a ghost, a monster, fear", "dark", "orchestral"),
    ("a murder, a detective, footsteps following someone", "tense", "orchestral"),
    ("a storm with lightning, a fire, a disaster", "tense", "orchestral"),
    ("a desert with camels and dunes, an ancient temple", "mysterious", "orchestral"),
    ("a church, a cathedral, a monk praying", "solemn", "classical"),
    ("a parade with flags and uniforms", "hopeful", "march"),
    ("a circus with clowns and elephants", "playful", "waltz"),
    ("a ballroom, a palace, people in elegant dresses", "romantic", "waltz"),
    ("a farm with cows, horses and a barn, the countryside", "happy", "folk"),
    ("sheep or horses standing in a green field", "calm", "folk"),
    ("flowers in a garden, a butterfly, spring", "hopeful", "classical"),
    ("a sunrise, a new day, a plane taking off", "hopeful", "orchestral"),
    ("a robot, a machine, a computer of the future", "mysterious", "techno"),
    ("pixels, a video game with a jumping hero", "happy", "chiptune"),
    ("fish and coral under water", "dreamy", "ambient"),
    ("a teddy bear, toys, a nursery", "playful", "lullaby"),
    ("a train, a railway, a long journey", "hopeful", "folk"),
    ("a zebra, a giraffe, an elephant or a lion in the savannah", "hopeful", "orchestral"),
    ("a portrait of a woman or a man", "nostalgic", "classical"),
    ("a document, a page of text, a sign", "calm", "classical"),
    ("a room with furniture, a sofa and a lamp", "calm", "classical"),
]  # fmt: skip
MOOD_GENRES = {
    "happy": ("folk", "pop"), "sad": ("classical",), "calm": ("classical", "ambient"),
    "tense": ("orchestral",), "dark": ("orchestral",), "epic": ("orchestral",),
    "dreamy": ("ambient", "lullaby"), "romantic": ("classical", "bossa nova"),
    "angry": ("rock",), "mysterious": ("orchestral",), "playful": ("folk", "march"),
    "nostalgic": ("classical", "folk"), "hopeful": ("pop", "orchestral"),
    "energetic": ("pop", "techno", "rock"), "solemn": ("classical", "orchestral"),
}  # fmt: skip
GENRE_MOODS = {
    "lullaby": "calm", "jazz": "happy", "blues": "nostalgic", "rock": "energetic",
    "techno": "energetic", "waltz": "romantic", "march": "hopeful", "folk": "happy",
    "ambient": "dreamy", "classical": "hopeful", "chiptune": "happy", "hip hop": "nostalgic",
    "bossa nova": "calm", "reggae": "happy", "pop": "hopeful", "orchestral": "epic",
}  # fmt: skip
