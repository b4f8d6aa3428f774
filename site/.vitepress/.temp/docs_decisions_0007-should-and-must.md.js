import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"7. SHOULD beside MUST","description":"","frontmatter":{},"headers":[],"relativePath":"docs/decisions/0007-should-and-must.md","filePath":"docs/decisions/0007-should-and-must.md"}');
const _sfc_main = { name: "docs/decisions/0007-should-and-must.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="7-should-beside-must" tabindex="-1">7. SHOULD beside MUST <a class="header-anchor" href="#7-should-beside-must" aria-label="Permalink to &quot;7. SHOULD beside MUST&quot;">​</a></h1><p>Status: accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p><a href="/hookproof/docs/decisions/0001-levels">Decision 1</a> says what may be a MUST. Much good advice is not: it is true for most receivers, and a correct one may do otherwise for a reason. A suite that fails such a receiver is disputed once and then switched off.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ol><li>A SHOULD that is not met is a warning. It never makes a receiver &quot;not conformant&quot; and never changes the exit code. It lowers the grade, so that it is not invisible.</li><li>A SHOULD needs its reason in SPEC.md, as a MUST needs its harm. What is only a matter of taste is no requirement.</li><li>A requirement with a MUST part and a SHOULD part becomes two, so that a case has exactly one level.</li><li>The level follows from the keyword in the quoted sentence. There is no second place that could disagree.</li><li>When in doubt the level is the lower one. Raising it later needs a new version of the contract; a false failure costs trust at once.</li></ol><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>&quot;Conformant&quot; means that nothing that harms was found, not that nothing can be better. The grade A+ is for receivers that also follow the recommendations.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/decisions/0007-should-and-must.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0007ShouldAndMust = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0007ShouldAndMust as default
};
