import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 12.9","description":"","frontmatter":{"title":"Requirement 12.9","prev":false,"next":false},"headers":[],"relativePath":"requirements/12.9.md","filePath":"site/pages/requirements/12.9.md"}');
const _sfc_main = { name: "requirements/12.9.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-129" tabindex="-1">Requirement 12.9 <a class="header-anchor" href="#requirement-129" aria-label="Permalink to &quot;Requirement 12.9&quot;">​</a></h1><blockquote><p>A receiver MUST take the id, the amount and all other fields of an event from the event itself, not from its metadata.</p></blockquote><p>MUST · Source: Interface 2.2: the metadata is returned unchanged</p><p><strong>Prevents:</strong> a customer who writes the metadata decides what is credited.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/bypass/metadata-named-like-amounts"><code>metadata-named-like-amounts</code></a></td><td>A customer who writes the metadata of a payment decides what is credited.</td></tr><tr><td><a href="/hookproof/cases/bypass/metadata-named-like-ids"><code>metadata-named-like-ids</code></a></td><td>A customer who writes the metadata of a payment can have another order credited.</td></tr><tr><td><a href="/hookproof/cases/bypass/metadata-named-like-a-completion"><code>metadata-named-like-a-completion</code></a></td><td>A customer who writes the metadata of a payment can have a failed payment credited.</td></tr><tr><td><a href="/hookproof/cases/bypass/metadata-named-like-flags"><code>metadata-named-like-flags</code></a></td><td>A customer who has paid gets nothing.</td></tr><tr><td><a href="/hookproof/cases/bypass/metadata-named-like-methods"><code>metadata-named-like-methods</code></a></td><td>A customer who has paid gets nothing, because a key of the metadata hides a method of the object.</td></tr><tr><td><a href="/hookproof/cases/bypass/metadata-named-like-a-prototype"><code>metadata-named-like-a-prototype</code></a></td><td>A customer who has paid gets nothing, because a key of the metadata replaces the prototype.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/12.9.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _12_9 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _12_9 as default
};
