"""Words that name no page in particular: what every site calls its front page, its contact page or its menu."""

from __future__ import annotations

WORDS = frozenset(
    "home|homepage|home page|welcome|willkommen|index|main|main page|start|startseite|accueil|inicio|главная|"
    "главная страница|首页|主页|ホーム|トップページ|홈|الرئيسية|דף הבית|"
    "contact|contact us|contacts|contact information|contact info|kontakt|contacto|contactez-nous|contatti|контакты|"
    "联系我们|お問い合わせ|about|about us|über uns|à propos|who we are|company|our company|company overview|overview|"
    "our team|team|history|location|locations|our location|directions|map|"
    "menu|navigation|main menu|search|suche|news|blog|faq|services|our services|products|our products|testimonials|"
    "gallery|login|log in|sign in|register|sitemap|privacy policy|privacy|terms|404|error|untitled|untitled document|"
    "new page|article|page|details|profile|official site|official website|official web site|online shop|shop|store|"
    "reviews|review|comments|related|related articles|share|newsletter|subscribe|skip to content|categories|archives|"
    "tags|impressum|datenschutz|imprint|information|info|resources|support|help|events|calendar|careers|jobs".split("|")
)
STARTS = ("contact ", "about ", "welcome to ", "home ", "willkommen ", "bienvenue ")


def is_generic(key: str) -> bool:
    """Say whether a folded text is one that thousands of pages carry."""
    return key in WORDS


def starts_generic(key: str) -> bool:
    """Say whether a folded text begins with such a word."""
    return key.startswith(STARTS)
